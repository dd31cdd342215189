import { useState } from 'react'

/** A video behind its poster: the platform that plays it is not asked for anything before somebody wants to see it. */
export function VideoPlayer({ url, title }: { url: string; title: string }) {
  const [isPlaying, setPlaying] = useState(false)
  return (
    <div className="on-dark relative aspect-video overflow-hidden rounded-2xl bg-night">
      {isPlaying ? (
        <Embedded url={url} title={title} />
      ) : (
        <Poster url={url} title={title} onPlay={() => setPlaying(true)} />
      )}
    </div>
  )
}

function Embedded({ url, title }: { url: string; title: string }) {
  return (
    <iframe
      ref={focus}
      src={`${url}?autoplay=1`}
      title={title}
      allow="autoplay; picture-in-picture"
      allowFullScreen
      referrerPolicy="strict-origin-when-cross-origin"
      className="size-full"
    />
  )
}

/** The button that had the focus is gone. */
function focus(frame: HTMLIFrameElement | null): void {
  frame?.focus()
}

function Poster({ url, title, onPlay }: { url: string; title: string; onPlay: () => void }) {
  const look =
    'group absolute inset-0 grid place-content-center focus-visible:-outline-offset-6 rounded-2xl text-primary'
  return (
    <>
      <img
        src="/art/recruitment/video-poster.svg"
        alt=""
        width="1280"
        height="720"
        loading="lazy"
        className="size-full object-cover"
      />
      <button type="button" aria-label={`Play video: ${title}`} onClick={onPlay} className={`${look} noscript:hidden`}>
        <PlaySign />
      </button>
      <a href={url} aria-label={`Watch the video: ${title}`} className={`${look} hidden noscript:grid`}>
        <PlaySign />
      </a>
    </>
  )
}

function PlaySign() {
  return (
    <span className="grid size-20 place-content-center rounded-full bg-white shadow-xl shadow-night/40 transition-colors group-hover:bg-lilac sm:size-24">
      <svg viewBox="0 0 24 24" className="size-9 sm:size-11" aria-hidden="true">
        <path d="M8 5.2v13.6a.6.6 0 0 0 .9.5l11-6.8a.6.6 0 0 0 0-1l-11-6.8a.6.6 0 0 0-.9.5Z" fill="currentColor" />
      </svg>
    </span>
  )
}
