import { Menu } from '@base-ui/react/menu';
import { useState } from 'react';
import { createBilingual, useTexts } from '../texts/texts.ts';
import { Button } from './button.tsx';
import type { Column } from './data-table.tsx';
import styles from './search-page.module.css';

const texts = createBilingual({ en: { columns: 'Columns' }, es: { columns: 'Columnas' } });

/** Returns the visible columns of a list, which this browser stores by the name of the list. */
export function useVisibleColumns<Row>(list: string, columns: readonly Column<Row>[]) {
  const key = `columns.${list}`;
  const [stored, setStored] = useState(() => localStorage.getItem(key)?.split(','));
  const visible = new Set(stored ?? columns.filter(({ hidden }) => !hidden).map(({ id }) => id));
  const toggle = (id: string) => {
    const next = visible.symmetricDifference(new Set([id]));
    // A table without any column would leave nothing to restore it from.
    if (next.size === 0) return;
    localStorage.setItem(key, [...next].join(','));
    setStored([...next]);
  };
  return { visible, toggle };
}

export function ColumnChoice<Row>(props: {
  readonly columns: readonly Column<Row>[];
  readonly visible: ReadonlySet<string>;
  onToggle(id: string): void;
}) {
  const { columns, visible, onToggle } = props;
  const t = useTexts(texts);
  return (
    <Menu.Root>
      <Menu.Trigger render={<Button small />}>{t.columns}</Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner sideOffset={4} align="end">
          <Menu.Popup className={styles.menu}>
            {columns.map(({ id, label }) => (
              <Menu.CheckboxItem
                key={id}
                className={styles.item}
                checked={visible.has(id)}
                closeOnClick={false}
                onCheckedChange={() => onToggle(id)}
              >
                <span className={styles.mark} aria-hidden="true">
                  {visible.has(id) ? '✓' : ''}
                </span>
                {label}
              </Menu.CheckboxItem>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
