import { useState } from 'react';
import { Dialog } from '../parts/dialog.tsx';
import { type KeyBinding, useKeyList, useKeys } from '../parts/keys.tsx';
import { createBilingual, useTexts } from '../texts/texts.ts';
import styles from './shell.module.css';

const texts = createBilingual({
  en: { title: 'Keys', help: 'Show the keys' },
  es: { title: 'Teclas', help: 'Mostrar las teclas' },
});

/** Shows the key bindings of the page on `?`. */
export function KeyHelp() {
  const t = useTexts(texts);
  const list = useKeyList();
  const [shown, setShown] = useState<readonly KeyBinding[]>();
  useKeys([{ keys: '?', label: t.help, run: () => setShown(list()) }]);
  return (
    <Dialog title={t.title} open={shown !== undefined} onOpenChange={() => setShown(undefined)}>
      <dl className={styles.keys}>
        {shown?.map(({ keys, label }) => [
          <dt key={keys}>
            {keys.split(' ').map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dt>,
          <dd key={`${keys} label`}>{label}</dd>,
        ])}
      </dl>
    </Dialog>
  );
}
