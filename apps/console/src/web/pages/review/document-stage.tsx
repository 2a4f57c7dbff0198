import { type CSSProperties, useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { useKeys } from '../../parts/keys.tsx';
import { createBilingual, useTexts } from '../../texts/texts.ts';
import styles from './case.module.css';

const texts = createBilingual({
  en: {
    larger: 'Larger',
    smaller: 'Smaller',
    rotate: 'Rotate',
    reset: 'Fit',
    open: 'Open in a tab of its own',
    size: (percent: string) => `${percent} %`,
    video: 'A video without captions: it is what the applicant recorded.',
  },
  es: {
    larger: 'Ampliar',
    smaller: 'Reducir',
    rotate: 'Girar',
    reset: 'Ajustar',
    open: 'Abrir en otra pestaña',
    size: (percent: string) => `${percent} %`,
    video: 'Video sin subtítulos: es lo que grabó el solicitante.',
  },
});

export interface DocumentStageProps {
  /** Path on this origin. */
  readonly path: string;
  readonly mediaType: string;
  readonly name: string;
}

/** Shows one document: images with zoom and rotation, PDF and video by the browser. */
export function DocumentStage(props: DocumentStageProps) {
  const { path, mediaType, name } = props;
  const t = useTexts(texts);
  if (mediaType.startsWith('image/')) return <ImageStage path={path} name={name} />;
  return (
    <>
      <div className={styles.stage}>
        {mediaType.startsWith('video/') ? (
          // biome-ignore lint/a11y/useMediaCaption: it is a recording of an applicant, who nobody has written down
          <video src={path} controls preload="metadata" aria-label={`${name}. ${t.video}`} />
        ) : (
          <iframe src={path} title={name} />
        )}
      </div>
      <div className={styles.tools}>
        <span>{mediaType}</span>
        <a href={path} target="_blank" rel="noreferrer">
          {t.open}
        </a>
      </div>
    </>
  );
}

const step = 1.25;
const [smallest, largest] = [0.25, 8];

function ImageStage({ path, name }: { readonly path: string; readonly name: string }) {
  const t = useTexts(texts);
  const [view, setView] = useState({ zoom: 1, turns: 0 });
  const zoomBy = (factor: number) =>
    setView(({ zoom, turns }) => ({ zoom: Math.min(largest, Math.max(smallest, zoom * factor)), turns }));
  const rotate = () => setView(({ zoom, turns }) => ({ zoom, turns: turns + 1 }));
  const reset = () => setView({ zoom: 1, turns: 0 });
  useKeys([
    { keys: '+', label: t.larger, run: () => zoomBy(step) },
    { keys: '-', label: t.smaller, run: () => zoomBy(1 / step) },
    { keys: 'r', label: t.rotate, run: rotate },
    { keys: '0', label: t.reset, run: reset },
  ]);
  const style: CSSProperties = { transform: `rotate(${view.turns * 90}deg) scale(${view.zoom})` };
  return (
    <>
      <div className={styles.stage}>
        <img src={path} alt={name} style={style} data-zoomed={view.zoom > 1 ? '' : undefined} />
      </div>
      <div className={styles.tools}>
        <span>{t.size(String(Math.round(view.zoom * 100)))}</span>
        <div>
          <Button small onClick={() => zoomBy(1 / step)} aria-label={t.smaller}>
            −
          </Button>
          <Button small onClick={() => zoomBy(step)} aria-label={t.larger}>
            +
          </Button>
          <Button small onClick={rotate}>
            {t.rotate}
          </Button>
          <Button small onClick={reset}>
            {t.reset}
          </Button>
        </div>
      </div>
    </>
  );
}
