import type { EntityManager } from '@mikro-orm/postgresql';
import { recordAudit } from '@rubrica/audit/log';
import type { OperatorCaller } from '@rubrica/process/trpc';
import type { TermsVersion } from '../store/terms-version.entity.ts';

/** Actor and reason of a change. */
export interface Change {
  readonly actor: string;
  readonly reason?: string | undefined;
}

export function changeBy({ email }: OperatorCaller, reason: string | undefined): Change {
  return {
    actor: `operator:${email}`,
    reason,
  };
}

/** Adds the audit row to the transaction of the change. `replaced` is the version that stops being active. */
export function auditChange(
  em: EntityManager,
  change: Change,
  event: {
    readonly action: 'terms.createVersion' | 'terms.activate';
    readonly version: TermsVersion;
    readonly replaced?: TermsVersion | null;
  },
): Promise<void> {
  const { id, type, version } = event.version;
  const replaced = event.replaced ? { replaced: event.replaced.id } : {};
  const details = { type, version, ...replaced };
  return recordAudit(em, { ...change, action: event.action, target: `terms:${id}`, details });
}
