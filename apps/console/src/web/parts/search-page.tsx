import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useRef } from 'react';
import { usePace } from '../client/live/live.tsx';
import { searchOf } from '../client/queries.ts';
import type { InputOf, OperatorOutput, OperatorPath } from '../client/trpc.ts';
import { bilingual, useTexts } from '../texts/texts.ts';
import { type Address, useAddress } from './address.ts';
import { Button } from './button.tsx';
import { ColumnChoice, useVisibleColumns } from './column-choice.tsx';
import { type Column, DataTable } from './data-table.tsx';
import { type Choice, ChoiceField, TextField } from './field.tsx';
import { Instant } from './instant.tsx';
import { useKeys } from './keys.tsx';
import { Page } from './page.tsx';
import styles from './search-page.module.css';
import { Empty, Failed, Loading } from './states.tsx';

const texts = bilingual({
  en: {
    search: 'Search',
    clear: 'Clear',
    any: 'Any',
    focus: 'Search',
    next: 'Next page',
    first: 'First page',
    further: 'Look further back',
    lookedTo: 'All looked at back to',
    rows: (count: string) => `${count} shown`,
    nothing: 'Nothing found',
    nothingHere: 'Nothing to show',
    nothingYet: 'Nothing found so far',
    widen: 'No row has all of these. Take a filter out, or look for something else.',
  },
  es: {
    search: 'Buscar',
    clear: 'Limpiar',
    any: 'Cualquiera',
    focus: 'Buscar',
    next: 'Página siguiente',
    first: 'Primera página',
    further: 'Buscar más atrás',
    lookedTo: 'Buscado hasta el',
    rows: (count: string) => `${count} en pantalla`,
    nothing: 'Sin resultados',
    nothingHere: 'Nada que mostrar',
    nothingYet: 'Nada hasta ahora',
    widen: 'Ninguna fila cumple todo esto. Quite un filtro o busque otra cosa.',
  },
});

/** The procedures that give a page of rows. */
export type SearchPath = {
  [P in OperatorPath]: OperatorOutput<P> extends {
    readonly items: readonly object[];
    readonly nextCursor: string | null;
  }
    ? P
    : never;
}[OperatorPath];
export type RowOf<P extends SearchPath> = OperatorOutput<P>['items'][number];

export interface Filter {
  /** The field of the procedure's input, and its name in the address. */
  readonly name: string;
  readonly label: string;
  /** A choice of these; without them a text. */
  readonly choices?: readonly Choice[];
  /** What none of the choices means, if not any of them. */
  readonly empty?: string;
  readonly type?: 'text' | 'date' | 'email' | 'number';
}

export interface SearchPageProps<P extends SearchPath> {
  readonly title: string;
  readonly about?: ReactNode;
  readonly actions?: ReactNode;
  readonly procedure: P;
  readonly filters: readonly Filter[];
  readonly columns: readonly Column<RowOf<P>>[];
  rowId(row: RowOf<P>): string;
  /** What the address says, as input; without it each filter is taken as it is written. */
  toInput?(address: Address): Partial<InputOf<P>>;
  /** How often it is asked anew while no events say when there is something new; never where absent. */
  readonly refreshMs?: number;
  /** What to do where there are no rows and no filter is set. */
  readonly whenEmpty?: ReactNode;
  /** Above the table: the same rows as a picture. */
  plot?(rows: readonly RowOf<P>[], address: Address): ReactNode;
  readonly children?: ReactNode;
}

const rowsPerPage = 50;

/** A page with filters in its address and a table below them, 50 rows at a time. */
export function SearchPage<P extends SearchPath>(props: SearchPageProps<P>) {
  const { title, about, actions, procedure, filters, columns, rowId, children } = props;
  const t = useTexts(texts);
  const [address, change] = useAddress();
  const { visible, toggle } = useVisibleColumns(procedure, columns);
  const { cursor } = address;
  const set = Object.fromEntries(
    filters.flatMap(({ name, type }) => {
      const value = address[name];
      return value === undefined ? [] : [[name, type === 'number' ? Number(value) : value]];
    }),
  );
  const input = {
    limit: rowsPerPage,
    ...(cursor === undefined ? {} : { cursor }),
    ...(props.toInput?.(address) ?? set),
  } as InputOf<P>;
  const paceMs = usePace(props.refreshMs ?? 0);
  const query = useQuery({
    ...searchOf(procedure, input),
    ...(props.refreshMs === undefined ? {} : { refetchInterval: paceMs }),
  });
  const page = query.data as
    | { items: RowOf<P>[]; nextCursor: string | null; lookedBackTo?: string }
    | undefined;
  const next = page?.nextCursor ?? null;
  const further = next !== null && (
    <NextPage
      label={page?.lookedBackTo === undefined ? t.next : t.further}
      onNext={() => change({ cursor: next })}
    />
  );
  const lookedTo = page?.lookedBackTo !== undefined && (
    <>
      {t.lookedTo} <Instant at={page.lookedBackTo} />
    </>
  );
  return (
    <Page title={title} about={about} actions={actions}>
      {filters.length > 0 && <Filters filters={filters} address={address} onChange={change} />}
      {children}
      {query.isPending && <Loading />}
      {query.isError && <Failed error={query.error} onRetry={() => void query.refetch()} />}
      {page !== undefined && !query.isError && page.items.length === 0 && (
        <Nothing isFiltered={Object.keys(set).length > 0} lookedTo={lookedTo} further={further}>
          {props.whenEmpty}
        </Nothing>
      )}
      {page !== undefined && !query.isError && page.items.length > 0 && (
        <div
          className={query.isPlaceholderData ? `${styles.rows} ${styles.busy}` : styles.rows}
          aria-busy={query.isPlaceholderData}
        >
          {props.plot?.(page.items, address)}
          <DataTable caption={title} columns={columns} rows={page.items} rowId={rowId} visible={visible} />
        </div>
      )}
      {page !== undefined && page.items.length > 0 && (
        <div className={styles.foot}>
          <span>
            {t.rows(String(page.items.length))}
            {lookedTo !== false && <> · {lookedTo}</>}
          </span>
          <div>
            <ColumnChoice columns={columns} visible={visible} onToggle={toggle} />
            {cursor !== undefined && (
              <Button small onClick={() => change({ cursor: '' })}>
                {t.first}
              </Button>
            )}
            {further}
          </div>
        </div>
      )}
    </Page>
  );
}

function NextPage({ label, onNext }: { readonly label: string; onNext(): void }) {
  useKeys([{ keys: 'n', label, run: onNext }]);
  return (
    <Button small onClick={onNext}>
      {label}
    </Button>
  );
}

interface NothingProps {
  readonly isFiltered: boolean;
  /** How far the look went, where it did not come to the end. */
  readonly lookedTo: ReactNode;
  readonly further: ReactNode;
  readonly children?: ReactNode;
}

function Nothing(props: NothingProps) {
  const t = useTexts(texts);
  if (props.lookedTo !== false) {
    return (
      <Empty title={t.nothingYet}>
        <p>{props.lookedTo}</p>
        {props.further}
      </Empty>
    );
  }
  if (!props.isFiltered) return <Empty title={t.nothingHere}>{props.children}</Empty>;
  return (
    <Empty title={t.nothing}>
      <p>{t.widen}</p>
    </Empty>
  );
}

interface FiltersProps {
  readonly filters: readonly Filter[];
  readonly address: Address;
  onChange(changes: Address): void;
}

function Filters({ filters, address, onChange }: FiltersProps) {
  const t = useTexts(texts);
  const form = useRef<HTMLFormElement>(null);
  useKeys([
    {
      keys: '/',
      label: t.focus,
      run: () => form.current?.querySelector<HTMLElement>('input, select')?.focus(),
    },
  ]);
  const empty = Object.fromEntries([...filters.map(({ name }) => name), 'cursor'].map((name) => [name, '']));
  const apply = () => {
    const given = new FormData(form.current ?? undefined);
    onChange({
      ...empty,
      ...Object.fromEntries([...given].map(([name, value]) => [name, String(value).trim()])),
    });
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    apply();
  };
  return (
    // Anew for each address and where choices arrive, so that the fields show what is looked for.
    <search key={filters.map(({ name, choices }) => `${address[name]}:${choices?.length}`).join('|')}>
      <form ref={form} className={styles.filters} onSubmit={onSubmit}>
        {filters.map(({ name, label, choices, empty: none, type = 'text' }) =>
          choices === undefined ? (
            <TextField key={name} label={label} name={name} type={type} defaultValue={address[name] ?? ''} />
          ) : (
            <ChoiceField
              key={name}
              label={label}
              name={name}
              choices={choices}
              empty={none ?? t.any}
              defaultValue={address[name] ?? ''}
              onChange={apply}
            />
          ),
        )}
        <div className={styles.buttons}>
          <Button type="submit" tone="primary">
            {t.search}
          </Button>
          {filters.some(({ name }) => address[name]) && (
            <Button tone="quiet" onClick={() => onChange(empty)}>
              {t.clear}
            </Button>
          )}
        </div>
      </form>
    </search>
  );
}
