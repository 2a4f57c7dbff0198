import { columnVisibilityFeature, tableFeatures, useTable } from '@tanstack/react-table';
import { type ReactNode, useMemo, useState } from 'react';
import { createBilingual, useTexts } from '../texts/texts.ts';
import styles from './data-table.module.css';
import { useKeys } from './keys.tsx';

const features = tableFeatures({ columnVisibilityFeature });
const texts = createBilingual({
  en: { next: 'Next row', previous: 'Previous row' },
  es: { next: 'Fila siguiente', previous: 'Fila anterior' },
});

export interface Column<Row> {
  readonly id: string;
  readonly label: string;
  /** Aligns at the end, for numbers. */
  readonly atEnd?: boolean;
  /** Hidden until the operator selects it. */
  readonly hidden?: boolean;
  /** Renders the cell; the first column contains the link of its row, which Enter follows. */
  cell(row: Row): ReactNode;
}

export interface DataTableProps<Row> {
  /** Description of the rows, for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  rowId(row: Row): string;
  /** Visible columns; by default all that are not hidden. */
  readonly visible?: ReadonlySet<string>;
}

/** Renders the table of a list. `j` and `k` move between rows, Enter opens; on a phone each row becomes a card. */
export function DataTable<Row extends object>({
  caption,
  columns,
  rows,
  rowId,
  visible,
}: DataTableProps<Row>) {
  const t = useTexts(texts);
  const [current, setCurrent] = useState(-1);
  const definitions = useMemo(() => columns.map(({ id, label }) => ({ id, header: label })), [columns]);
  const columnVisibility = useMemo(
    () => Object.fromEntries(columns.map(({ id, hidden }) => [id, visible?.has(id) ?? !hidden])),
    [columns, visible],
  );
  const table = useTable({
    features,
    columns: definitions,
    data: rows,
    state: { columnVisibility },
    getRowId: rowId,
  });
  const go = (to: number) => {
    const index = Math.max(0, Math.min(rows.length - 1, to));
    setCurrent(index);
    const row = document.querySelector(`tr[data-index="${index}"]`);
    row?.scrollIntoView({ block: 'nearest' });
    row?.querySelector('a')?.focus();
  };
  useKeys([
    { keys: 'j', label: t.next, run: () => go(current + 1) },
    { keys: 'k', label: t.previous, run: () => go(current - 1) },
  ]);
  const byId = new Map(columns.map((column) => [column.id, column]));
  return (
    <div className={styles.scroller}>
      <table className={styles.table}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id}>
              {group.headers.map((header) => (
                <th
                  key={header.id}
                  scope="col"
                  className={byId.get(header.id)?.atEnd ? styles.end : undefined}
                >
                  <table.FlexRender header={header} />
                </th>
              ))}
            </tr>
          ))}
        </thead>
        <tbody>
          {table.getRowModel().rows.map((row, index) => (
            <tr key={row.id} data-index={index} data-current={index === current ? '' : undefined}>
              {row.getVisibleCells().map((cell) => (
                <td
                  key={cell.id}
                  data-label={byId.get(cell.column.id)?.label}
                  className={byId.get(cell.column.id)?.atEnd ? styles.end : undefined}
                >
                  {/* Rendered without `FlexRender`: each render creates a new function, which React would treat as
                      another component, replacing elements that are pressed or focused. */}
                  {byId.get(cell.column.id)?.cell(row.original)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
