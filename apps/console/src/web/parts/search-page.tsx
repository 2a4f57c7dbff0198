import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useReloadInterval } from '../client/live/live.tsx';
import { createSearchQuery } from '../client/queries.ts';
import { isIncompleteAnswer } from '../client/reload-interval.ts';
import type { OperatorOutput, OperatorPath, ProcedureInput } from '../client/trpc.ts';
import { createBilingual, useTexts } from '../texts/texts.ts';
import { type Address, useAddress } from './address.ts';
import { Button } from './button.tsx';
import { ColumnChoice, useVisibleColumns } from './column-choice.tsx';
import { type Column, DataTable } from './data-table.tsx';
import { type Filter, Filters } from './filters.tsx';
import { Instant } from './instant.tsx';
import { useKeys } from './keys.tsx';
import { Page } from './page.tsx';
import { Empty, Failed, Loading } from './query-result.tsx';
import styles from './search-page.module.css';

const texts = createBilingual({
  en: {
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

/** Procedures that return a page of rows. */
export type SearchPath = {
  [P in OperatorPath]: OperatorOutput<P> extends {
    readonly items: readonly object[];
    readonly nextCursor: string | null;
  }
    ? P
    : never;
}[OperatorPath];
export type SearchResultRow<P extends SearchPath> = OperatorOutput<P>['items'][number];

export interface SearchPageProps<P extends SearchPath> {
  readonly title: string;
  readonly about?: ReactNode;
  readonly actions?: ReactNode;
  readonly procedure: P;
  readonly filters: readonly Filter[];
  readonly columns: readonly Column<SearchResultRow<P>>[];
  rowId(row: SearchResultRow<P>): string;
  /** Converts the address to input; by default each filter is passed unchanged. */
  toInput?(address: Address): Partial<ProcedureInput<P>>;
  /** Reload interval without live events; none where absent. */
  readonly refreshMs?: number;
  /** Content for an empty list without filters. */
  readonly whenEmpty?: ReactNode;
  /** Renders a plot of the rows above the table. */
  plot?(rows: readonly SearchResultRow<P>[], address: Address): ReactNode;
  /** Renders a note about the rows above the table. */
  note?(page: OperatorOutput<P>): ReactNode;
}

const rowsPerPage = 50;

/** Renders a page with filters in its address and a table, 50 rows at a time. */
export function SearchPage<P extends SearchPath>(props: SearchPageProps<P>) {
  const { title, about, actions, procedure, filters, columns, rowId } = props;
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
  } as ProcedureInput<P>;
  const refetchInterval = useReloadInterval(props.refreshMs ?? 0);
  const query = useQuery({
    ...createSearchQuery(procedure, input),
    ...(props.refreshMs === undefined ? {} : { refetchInterval }),
  });
  const page = query.data as
    | (OperatorOutput<P> & { items: SearchResultRow<P>[]; nextCursor: string | null; lookedBackTo?: string })
    | undefined;
  const next = page?.nextCursor ?? null;
  const further = next !== null && (
    <NextPage
      label={page?.lookedBackTo === undefined ? t.next : t.further}
      onNext={() => change({ cursor: next })}
    />
  );
  const scannedTo = page?.lookedBackTo !== undefined && (
    <>
      {t.lookedTo} <Instant at={page.lookedBackTo} />
    </>
  );
  return (
    <Page title={title} about={about} actions={actions}>
      {filters.length > 0 && <Filters filters={filters} address={address} onChange={change} />}
      {page !== undefined && props.note?.(page)}
      {query.isPending && <Loading />}
      {query.isError && <Failed error={query.error} onRetry={() => void query.refetch()} />}
      {page !== undefined && !query.isError && page.items.length === 0 && (
        <Nothing
          isFiltered={Object.keys(set).length > 0}
          isShort={isIncompleteAnswer(page)}
          scannedTo={scannedTo}
          further={further}
        >
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
            {scannedTo !== false && <> · {scannedTo}</>}
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
  /** A service did not answer, so rows may be missing. */
  readonly isShort: boolean;
  /** Position of the scan, where it did not reach the end. */
  readonly scannedTo: ReactNode;
  readonly further: ReactNode;
  readonly children?: ReactNode;
}

function Nothing(props: NothingProps) {
  const t = useTexts(texts);
  if (props.scannedTo !== false) {
    return (
      <Empty title={t.nothingYet}>
        <p>{props.scannedTo}</p>
        {props.further}
      </Empty>
    );
  }
  if (props.isShort) return <Empty title={t.nothingYet} />;
  if (!props.isFiltered) return <Empty title={t.nothingHere}>{props.children}</Empty>;
  return (
    <Empty title={t.nothing}>
      <p>{t.widen}</p>
    </Empty>
  );
}
