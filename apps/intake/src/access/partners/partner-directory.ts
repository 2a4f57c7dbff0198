import type { Database } from '@rubrica/database/connection';
import { AppError } from '@rubrica/process/errors';
import type { Clock } from '@rubrica/process/time';
import { type Partner, PartnerEntity } from './partner.entity.ts';

export type PartnerSettings = Pick<
  Partner,
  | 'id'
  | 'clientId'
  | 'name'
  | 'scopes'
  | 'passwordConfiguration'
  | 'reviewPolicy'
  | 'legacyPkcs12'
  | 'holderRenewal'
  | 'gen'
>;

/** Cache of partners by id, for a few seconds: every copy sees a changed setting within `ttlMs`. */
export interface PartnerDirectory {
  /** @throws AppError FORBIDDEN for an unknown or disabled partner */
  get(partnerId: string): Promise<PartnerSettings>;
  forget(partnerId: string): void;
}

export interface PartnerDeps {
  readonly partners: PartnerDirectory;
}

export function createPartnerDirectory(options: {
  database: Pick<Database, 'fork'>;
  clock: Clock;
  ttlMs: number;
  capacity: number;
}): PartnerDirectory {
  const known = new Map<string, { partner: PartnerSettings; until: number }>();
  return {
    async get(partnerId) {
      const nowMs = options.clock().getTime();
      const hit = known.get(partnerId);
      if (hit && hit.until > nowMs) return hit.partner;
      const partner = await options.database.fork().findOne(PartnerEntity, { id: partnerId, enabled: true });
      if (!partner) throw new AppError({ code: 'FORBIDDEN' });
      if (known.size >= options.capacity) known.clear();
      known.set(partnerId, { partner, until: nowMs + options.ttlMs });
      return partner;
    },
    forget: (partnerId) => void known.delete(partnerId),
  };
}
