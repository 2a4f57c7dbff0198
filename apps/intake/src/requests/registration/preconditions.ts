import type * as requestsContract from '@rubrica/contracts/services/schemas/requests';
import type { Family } from '@rubrica/contracts/shared/enumerations';
import type { ErrorDetail } from '@rubrica/contracts/shared/errors';
import type { RequestsDeps } from '../deps.ts';
import { requiredVideo } from './required-video.ts';

type Needs = Pick<RequestsDeps, 'registries' | 'clock' | 'timeZone'>;

/** What a body without faults must find outside itself (412). */
export type Precondition = (
  input: requestsContract.RegisterInput,
  deps: Needs,
) => Promise<readonly ErrorDetail[]>;

export const preconditions: { readonly [F in Family]?: readonly Precondition[] } = {
  FR: [requiredVideo],
};
