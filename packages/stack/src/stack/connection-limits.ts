import type { ConnectionLimits } from '@rubrica/testkit/postgres';
import type { databaseServices } from '../setup/services.ts';

/** Provisioning has two sessions at once; the others are for commands that an operator runs beside it. */
const owner = 5;

/**
 * Most sessions of each role of the embedded stack. The same numbers are the defaults of `deploy/postgres/roles.sql`:
 * three copies with a pool of 12 (intake) or 8 and their own sessions, and a few commands.
 */
export const connectionLimits: Readonly<Record<(typeof databaseServices)[number], ConnectionLimits>> = {
  intake: { owner, app: 48 },
  generation: { owner, app: 34 },
  terms: { owner, app: 30 },
  notifier: { owner, app: 30 },
};
