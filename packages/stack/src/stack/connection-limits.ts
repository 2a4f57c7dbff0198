import type { ConnectionLimits } from '@rubrica/testkit/postgres';
import type { databaseServices } from '../setup/services.ts';

/** Provisioning uses two sessions at once; the others are for commands that an operator runs at the same time. */
const ownerLimit = 5;

/**
 * Maximum sessions of each role of the embedded stack. `deploy/postgres/roles.sql` has the same defaults. They suffice
 * for three copies with a pool of 12 (intake) or 8 and their own sessions, and for a few commands.
 */
export const connectionLimits: Readonly<Record<(typeof databaseServices)[number], ConnectionLimits>> = {
  intake: { owner: ownerLimit, app: 48 },
  generation: { owner: ownerLimit, app: 34 },
  terms: { owner: ownerLimit, app: 30 },
  notifier: { owner: ownerLimit, app: 30 },
};
