import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { createQuery } from '../../client/queries.ts';
import { isIncompleteAnswer } from '../../client/reload-interval.ts';
import { usePermission } from '../../client/session.tsx';
import type { OperatorOutput } from '../../client/trpc.ts';
import { Age } from '../../parts/instant.tsx';
import { useDates } from '../../texts/dates.ts';
import { createBilingual, useTexts } from '../../texts/texts.ts';
import styles from './overview.module.css';

const texts = createBilingual({
  en: {
    queue: 'wait for a review',
    oldest: 'the oldest for',
    nothing: 'nothing to do',
    errors: 'requests in error',
    errorsHint: 'the partner has to correct them',
    destinations: 'destinations in trouble',
    destinationsHint: 'webhooks are not taken there',
    approvals: 'wait for a second administrator',
    registered: 'registered in 24 hours',
    generated: 'issued in 24 hours',
  },
  es: {
    queue: 'esperan revisión',
    oldest: 'la más antigua, desde hace',
    nothing: 'nada que hacer',
    errors: 'solicitudes con error',
    errorsHint: 'el tercero debe corregirlas',
    destinations: 'destinos con problemas',
    destinationsHint: 'no reciben los webhooks',
    approvals: 'esperan a un segundo administrador',
    registered: 'registradas en 24 horas',
    generated: 'emitidas en 24 horas',
  },
});

const pageSize = 100;

/** Shows what needs an operator now, and the figures of the day. */
export function Tiles({ overview }: { readonly overview: OperatorOutput<'overview'> }) {
  const t = useTexts(texts);
  const dates = useDates();
  const errors = overview.requests.ERROR;
  return (
    <div className={styles.tiles}>
      <QueueTile />
      <Tile
        to="/requests"
        search={{ status: 'ERROR' }}
        number={dates.number(errors)}
        label={t.errors}
        isDue={errors > 0}
        hint={errors > 0 ? t.errorsHint : t.nothing}
      />
      <DestinationsTile />
      <ApprovalsTile />
      <Tile to="/requests" number={dates.number(overview.registeredLastDay)} label={t.registered} />
      <Tile
        to="/requests"
        search={{ status: 'GENERATED' }}
        number={dates.number(overview.generatedLastDay)}
        label={t.generated}
      />
    </div>
  );
}

function QueueTile() {
  const t = useTexts(texts);
  const { data } = useQuery(createQuery('reviews.queue', { limit: pageSize }));
  const [oldest] = data?.items ?? [];
  return (
    <Tile
      to="/review"
      number={formatCount(data)}
      label={t.queue}
      isDue={oldest !== undefined}
      hint={
        oldest === undefined ? (
          t.nothing
        ) : (
          <>
            {t.oldest} <Age since={oldest.waitingSince} />
          </>
        )
      }
    />
  );
}

function DestinationsTile() {
  const t = useTexts(texts);
  const { data } = useQuery(createQuery('deliveries.destinations', { limit: pageSize }));
  const isDue = (data?.items.length ?? 0) > 0;
  return (
    <Tile
      to="/deliveries"
      number={formatCount(data)}
      label={t.destinations}
      isDue={isDue}
      hint={isDue ? t.destinationsHint : t.nothing}
    />
  );
}

function ApprovalsTile() {
  const t = useTexts(texts);
  const isAllowed = usePermission()('approvals.list');
  const query = createQuery('approvals.list', { limit: pageSize });
  const { data } = useQuery({ ...query, enabled: isAllowed });
  if (!isAllowed) return null;
  return <Tile to="/approvals" number={formatCount(data)} label={t.approvals} isDue={!!data?.items.length} />;
}

/** Formats the count of a first page. It excludes later pages and services that did not answer. */
function formatCount(
  page: { readonly items: readonly unknown[]; readonly nextCursor: string | null } | undefined,
): string {
  if (page === undefined) return '–';
  return `${page.items.length}${page.nextCursor === null && !isIncompleteAnswer(page) ? '' : '+'}`;
}

interface TileProps {
  readonly to: string;
  readonly search?: Readonly<Record<string, string>>;
  readonly number: string;
  readonly label: string;
  readonly hint?: ReactNode;
  readonly isDue?: boolean;
}

function Tile({ to, search = {}, number, label, hint, isDue = false }: TileProps) {
  return (
    <Link to={to} search={search} className={styles.tile} data-due={isDue ? '' : undefined}>
      <span className={styles.number}>{number}</span>
      <span className={styles.label}>{label}</span>
      <span className={styles.hint}>{hint}</span>
    </Link>
  );
}
