// Loaded into a process by --import: durations that it measures are a hundred times what they are. Timers stay as they are.
const now = performance.now.bind(performance)
performance.now = () => 100 * now()
