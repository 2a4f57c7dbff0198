import { type ReactNode, useEffect } from 'react';
import icon from '../../design/icon.svg';
import { Switches } from '../../shell/switches.tsx';
import styles from './sign-in.module.css';

/** Renders the frame of the pages before the sign-in. */
export function Frame(props: {
  readonly title: string;
  readonly about?: string;
  readonly children: ReactNode;
}) {
  const { title, about, children } = props;
  useEffect(() => {
    document.title = `${title} · Rubrica`;
  }, [title]);
  return (
    <main className={styles.page}>
      <div>
        <div className={styles.card}>
          <img src={icon} alt="" />
          <div>
            <h1>{title}</h1>
            {about !== undefined && <p className={styles.about}>{about}</p>}
          </div>
          {children}
        </div>
        <div className={styles.foot}>
          <Switches />
        </div>
      </div>
    </main>
  );
}
