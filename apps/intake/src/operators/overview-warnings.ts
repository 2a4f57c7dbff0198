import type { OverviewWarning } from '@rubrica/contracts/operators/overview';
import { type TermsType, termsTypeSchema } from '@rubrica/contracts/shared/terms';
import { toAppError } from '@rubrica/process';
import type { Peers } from '@rubrica/wiring';
import { findActiveTerms } from '../request/terms-acceptance.ts';

function withoutTerms(type: TermsType): OverviewWarning {
  return {
    code: 'NO_ACTIVE_TERMS',
    subject: type,
    message: `${type} has no active terms: no certificate of this type can be claimed. Create a version and activate it`,
  };
}

const termsAway: OverviewWarning = {
  code: 'SERVICE_UNAVAILABLE',
  subject: 'terms',
  message: 'The terms service does not answer: nothing can be claimed until it does',
};

/** What an administrator should see to. A service that is away is a warning here, never a failure of the overview. */
export async function overviewWarnings(peers: Pick<Peers<'intake'>, 'terms'>): Promise<OverviewWarning[]> {
  const asked = termsTypeSchema.options.map(async (type) => ({
    type,
    active: await findActiveTerms(peers, type),
  }));
  const found = await Promise.all(asked).catch((fault: unknown) => {
    if (toAppError(fault).code === 'SERVICE_UNAVAILABLE') return undefined;
    throw fault;
  });
  if (found === undefined) return [termsAway];
  return found.filter(({ active }) => active === null).map(({ type }) => withoutTerms(type));
}
