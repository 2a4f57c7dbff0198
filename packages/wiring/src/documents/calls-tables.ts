import type { ActsFor, Call } from '@rubrica/contracts/services/call';
import { serviceCalls } from '@rubrica/contracts/services/calls';
import { services } from '@rubrica/contracts/shared/enumerations';

const forWhom: Readonly<Record<ActsFor['kind'], (actsFor: never) => string>> = {
  service: () => 'itself',
  applicant: () => 'applicants',
  anyone: () => 'the public',
  partner: ({ scope }: Extract<ActsFor, { kind: 'partner' }>) =>
    scope === undefined ? 'partners' : `partners, \`${scope}\``,
  operator: ({ role }: Extract<ActsFor, { kind: 'operator' }>) => `operators, \`${role}\``,
};

/** Renders every call between services, for the map of the system. */
export function allCallsTable(): string {
  const lines = services.flatMap((service) =>
    Object.entries<Call>(serviceCalls[service]).map(([name, row]): readonly string[] => [
      `\`${service}\``,
      `\`${name}\``,
      row.callers.join(', '),
      forWhom[row.actsFor.kind](row.actsFor as never),
      row.repeat === undefined ? '' : `\`${row.repeat}\``,
      row.about,
    ]),
  );
  return table(['Answered by', 'Call', 'Callers', 'For whom', 'May be repeated', 'What it does'], lines);
}

/** A Markdown table as the formatter would write it. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, 3, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
