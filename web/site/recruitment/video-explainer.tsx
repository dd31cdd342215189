import { useState } from 'react'
import { brand } from '../../../core/brand/brand.ts'
import { Band, BandHeading } from '../../ui/band.tsx'
import { anchors } from './anchors.ts'

export function VideoExplainer() {
  return (
    <Band id={anchors.video} headingId="video-heading">
      <div className="grid items-center gap-x-14 gap-y-10 lg:grid-cols-[minmax(0,4fr)_minmax(0,7fr)]">
        <div>
          <BandHeading id="video-heading">The Protocol, Explained for Physicians</BandHeading>
          <p className="mt-6 max-w-[44ch] text-lg leading-relaxed">
            What the four elements are, how a patient goes from the consultation to the last measurement, and what your
            practice does at each step.
          </p>
          <p className="mt-5 max-w-[48ch] text-sm text-quiet">
            The film comes from a video platform. Nothing is loaded from there before you press play.
          </p>
        </div>
        <VideoPlayer url={brand.providerVideoUrl} title={`The ${brand.product}, explained for physicians`} />
      </div>
    </Band>
  )
}

/** Shows the poster of a video. It requests nothing from the video platform before the visitor starts the video. */
function VideoPlayer({ url, title }: { url: string; title: string }) {
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

/** Moves the focus to the player, because the button that had the focus is removed. */
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
