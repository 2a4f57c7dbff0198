import { Link } from '@tanstack/react-router';
import type { Column } from '../../parts/data-table.tsx';
import type { SearchResultRow } from '../../parts/search-page.tsx';
import { useDates } from '../../texts/dates.ts';
import { useLabels } from '../../texts/labels.ts';
import { useTexts } from '../../texts/texts.ts';
import { outcomes, sumOutcomes } from './outcomes.ts';
import { reportTexts } from './report-texts.ts';
import { useDurationFormat } from './use-duration-format.ts';

type Levels = SearchResultRow<'reports.serviceLevels'>;
type Usage = SearchResultRow<'reports.usage'>;

/** Returns the columns of durations by partner: median and 95th percentile. */
export function useLevelColumns(): readonly Column<Levels>[] {
  const t = useTexts(reportTexts);
  const { number } = useDates();
  const span = useDurationFormat();
  const percent = (share: number | null) =>
    share === null ? '–' : `${number(Math.round(share * 1_000) / 10)} %`;
  const spans = (median: number | null, p95: number | null) =>
    median === null || p95 === null ? '–' : `${span(median)} · ${span(p95)}`;
  const column = (id: string, label: string, text: (row: Levels) => string, hidden = false) =>
    ({ id, label, atEnd: true, hidden, cell: text }) satisfies Column<Levels>;
  return [
    partnerColumn(t.partner),
    column('registered', t.registered, ({ registered }) => number(registered)),
    column('issued', t.issued, ({ issued }) => number(issued)),
    column('refused', t.refused, ({ refused }) => number(refused), true),
    column('cancelled', t.cancelled, ({ cancelled }) => number(cancelled), true),
    column('expired', t.expired, ({ expired }) => number(expired), true),
    column('shares', t.shares, (row) => `${percent(row.issuedShare)} · ${percent(row.refusedShare)}`),
    column('outcome', t.outcome, (row) => spans(row.outcomeP50Seconds, row.outcomeP95Seconds)),
    column('certificate', t.certificate, (row) =>
      spans(row.certificateP50Seconds, row.certificateP95Seconds),
    ),
    column(
      'webhooks',
      t.webhooks,
      ({ webhooks, webhooksDelivered }) => `${number(webhooksDelivered)} / ${number(webhooks)}`,
    ),
    column('first', t.first, ({ webhooksAtFirstAttempt: share }) => percent(share)),
    column('webhook', t.webhook, (row) => spans(row.webhookP50Seconds, row.webhookP95Seconds)),
    column('review', t.review, (row) => spans(row.reviewP50Seconds, row.reviewP95Seconds)),
  ];
}

/** Returns the columns of a month's outcomes: registered and issued requests by family. */
export function useUsageColumns(): readonly Column<Usage>[] {
  const t = useTexts(reportTexts);
  const getLabel = useLabels();
  const { number } = useDates();
  const families = ['TV', 'FR', 'FT', 'FS', 'API'] as const;
  return [
    partnerColumn(t.partner),
    {
      id: 'registered',
      label: t.registered,
      atEnd: true,
      cell: (row: Usage) => number(sumOutcomes(row).registered),
    },
    ...outcomes.map((outcome) => ({
      id: outcome,
      label: t[outcome],
      atEnd: true,
      cell: (row: Usage) => number(sumOutcomes(row).parts[outcome]),
    })),
    ...families.map((family) => ({
      id: family,
      label: getLabel(family).text,
      atEnd: true,
      cell: ({ byFamily }: Usage) =>
        `${number(byFamily[family].issued)} / ${number(byFamily[family].registered)}`,
    })),
  ];
}

function partnerColumn(label: string): Column<{ readonly partnerId: string; readonly partnerName: string }> {
  return {
    id: 'partner',
    label,
    cell: ({ partnerId, partnerName }) => <Link to={`/partners/${partnerId}`}>{partnerName}</Link>,
  };
}
