import {
  answeringServices,
  type OperatorPath,
  operatorProcedures,
} from '@rubrica/contracts/operators/procedures';
import type { ActsFor, Call } from '@rubrica/contracts/services/call';
import { serviceCalls } from '@rubrica/contracts/services/calls';
import { askedAt, type CallKind, servedAt } from '@rubrica/contracts/services/subjects';
import { type ServiceName, services } from '@rubrica/contracts/shared/enumerations';

/** One line of a table that says who calls what. */
interface Line {
  readonly group: string;
  readonly name: string;
  readonly who: string;
}

const forWhom: Readonly<Record<ActsFor['kind'], (actsFor: never) => string>> = {
  service: () => 'itself',
  applicant: () => 'who holds a link or a code',
  anyone: () => 'the public',
  partner: ({ scope }: Extract<ActsFor, { kind: 'partner' }>) =>
    scope === undefined ? 'partners' : `partners, \`${scope}\``,
  operator: ({ role }: Extract<ActsFor, { kind: 'operator' }>) => `operators, \`${role}\``,
};

/** For the README of a service: what it answers, to whom, and what it asks of others. */
export function serviceCallsTables(service: ServiceName): string {
  const calls = Object.entries<Call>(serviceCalls[service]).map(([name, row]) => lineOf(name, row));
  const procedures = operatorLines(service);
  const made = services.flatMap((peer) => madeBy(service, peer));
  return [
    ...(calls.length === 0
      ? []
      : [table(['Answers', 'To, for whom'], grouped(servedFor('rpc', service), calls))]),
    ...(procedures.length === 0
      ? []
      : [table(['Answers operators', 'Least role'], grouped(servedFor('ops', service), procedures))]),
    ...(made.length === 0 ? [] : [table(['Calls', 'For whom'], made)]),
  ].join('\n\n');
}

/** For the map of the system: every call between services. */
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

function lineOf(path: string, { callers, actsFor }: Call): Line {
  const who = `${callers.join(', ')}: ${forWhom[actsFor.kind](actsFor as never)}`;
  return { ...split(path), who };
}

function split(path: string): Pick<Line, 'group' | 'name'> {
  const [group = '', name = ''] = path.split('.');
  return { group, name };
}

function operatorLines(service: ServiceName): Line[] {
  return Object.entries(operatorProcedures)
    .filter(([path]) => answeringServices(path as OperatorPath).includes(service))
    .map(([path, { role }]) => ({ ...split(path), who: `\`${role}\`` }));
}

function madeBy(caller: ServiceName, peer: ServiceName): (readonly string[])[] {
  const lines = Object.entries<Call>(serviceCalls[peer])
    .filter(([, { callers }]) => callers.includes(caller))
    .map(([name, { actsFor }]): Line => ({ ...split(name), who: forWhom[actsFor.kind](actsFor as never) }));
  return grouped(askedAt('rpc', peer, caller), lines);
}

const servedFor = (kind: CallKind, service: ServiceName) => `${servedAt(kind, service)}.<caller>`;

/** Calls of one group that the same callers make for the same people stand in one line. */
function grouped(prefix: string, lines: readonly Line[]): (readonly string[])[] {
  const names = new Map<string, Line[]>();
  for (const line of lines) {
    const key = `${line.group}\n${line.who}`;
    names.set(key, [...(names.get(key) ?? []), line]);
  }
  return [...names.values()].map((same) => {
    const [{ group, who }] = same as [Line];
    const members = same.map(({ name }) => name).filter((name) => name !== '');
    const path = members.length > 1 ? `${group}.{${members.join(',')}}` : [group, ...members].join('.');
    return [`\`${prefix}.${path}\``, who];
  });
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
