type Props = {
  label: string
  isChecked: boolean
  disabled?: boolean
  /** With the shift key a whole range is meant. */
  onToggle: (isRange: boolean) => void
}

export function RowCheckbox({ label, isChecked, disabled, onToggle }: Props) {
  return (
    <input
      type="checkbox"
      aria-label={label}
      checked={isChecked}
      disabled={disabled}
      onChange={({ nativeEvent }) => onToggle((nativeEvent as MouseEvent).shiftKey === true)}
      className="block size-6 accent-secondary"
    />
  )
}
