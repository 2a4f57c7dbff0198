import type { ServiceName } from '../shared/enumerations.ts';

/** Calls between services, and what operators ask through the gateway. */
export type CallKind = 'rpc' | 'ops';

/** What a service answers lies below: `<here>.<caller>.<name>`. */
export function servedAt(kind: CallKind, service: ServiceName): string {
  return `${kind}.v2.${service}`;
}

/** What one service asks another lies below: `<here>.<name>`. The bus lets no other user publish there. */
export function askedAt(kind: CallKind, service: ServiceName, caller: ServiceName): string {
  return `${servedAt(kind, service)}.${caller}`;
}

/** Parties and name of a call, as its subject has them; undefined for any other subject. */
export interface CallSubject {
  readonly receiver: string;
  readonly caller: string;
  readonly path: string;
}

const callSubject = /^(?:rpc|ops)\.v2\.([a-z]+)\.([a-z]+)\.(.+)$/;

export function readCallSubject(subject: string): CallSubject | undefined {
  const [, receiver, caller, path] = callSubject.exec(subject) ?? [];
  if (receiver === undefined || caller === undefined || path === undefined) return undefined;
  return { receiver, caller, path };
}
