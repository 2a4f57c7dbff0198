import type { ServiceName } from '../shared/enumerations.ts';

/** Prefix of calls between services (`rpc`) and of operators' calls through the gateway (`ops`). */
export type CallKind = 'rpc' | 'ops';

/** Names the prefix of all subjects that a service answers: `<prefix>.<caller>.<name>`. */
export function toServiceSubject(kind: CallKind, service: ServiceName): string {
  return `${kind}.v2.${service}`;
}

/**
 * Names the prefix of all subjects at which one service calls another: `<prefix>.<name>`. The bus lets no other user
 * publish there.
 */
export function toCallSubject(kind: CallKind, service: ServiceName, caller: ServiceName): string {
  return `${toServiceSubject(kind, service)}.${caller}`;
}

/** Parties and name of a call, as its subject states them. */
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
