import type * as requestsContract from '@rubrica/contracts/services/schemas/requests';
import type { Family } from '@rubrica/contracts/shared/enumerations';
import type { ErrorDetail } from '@rubrica/contracts/shared/errors';
import type { RequestsDeps } from '../deps.ts';
import { requireVideo } from './require-video.ts';

type PreconditionDeps = Pick<RequestsDeps, 'registries' | 'clock' | 'timeZone'>;

/** Check of a body without faults against other services (412). */
export type Precondition = (
  input: requestsContract.RegisterInput,
  deps: PreconditionDeps,
) => Promise<readonly ErrorDetail[]>;

export const preconditions: { readonly [F in Family]?: readonly Precondition[] } = {
  FR: [requireVideo],
};
