import type { ErrorDetail, Family, intakeContract } from '@rubrica/contracts';
import type { Dependencies } from '../dependencies.ts';
import { requiredVideo } from './required-video.ts';

type Needs = Pick<Dependencies, 'registries' | 'activeTerms' | 'clock' | 'timeZone'>;

/** What a body without faults must find outside itself (412). */
export type Precondition = (
  input: intakeContract.RegisterInput,
  deps: Needs,
) => Promise<readonly ErrorDetail[]>;

export const preconditions: { readonly [F in Family]?: readonly Precondition[] } = {
  FR: [requiredVideo],
};
