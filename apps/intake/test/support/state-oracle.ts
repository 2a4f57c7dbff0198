/**
 * The table of states as the interface's documents give it, written down once more and by hand: what the service did
 * is held against this, not against its own table.
 */
const generally: readonly (readonly [from: string, to: string])[] = [
  ['REGISTERED/PENDING', 'VALIDATING/AUTOMATICALLY_VALIDATING'],
  ['VALIDATING/AUTOMATICALLY_VALIDATING', 'VALIDATING/MANUALLY_VALIDATING'],
  ['VALIDATING/*', 'ERROR/ERROR'],
  ['VALIDATING/*', 'REFUSED/REFUSED'],
  ['VALIDATING/*', 'APPROVED/COMPLETED'],
  ['VALIDATING/*', 'GENERATING/COMPLETED'],
  ['APPROVED/COMPLETED', 'GENERATING/COMPLETED'],
  ['APPROVED/COMPLETED', 'REFUSED/REFUSED'],
  ['APPROVED/COMPLETED', 'ERROR/ERROR'],
  ['GENERATING/COMPLETED', 'GENERATED/COMPLETED'],
  ['GENERATING/COMPLETED', 'ERROR/COMPLETED'],
  ['ERROR/*', 'REGISTERED/PENDING'],
  ['ERROR/ERROR', 'VALIDATING/AUTOMATICALLY_VALIDATING'],
  ['ERROR/COMPLETED', 'GENERATING/COMPLETED'],
  ['ERROR/*', 'EXPIRED/='],
  ['APPROVED/*', 'EXPIRED/='],
  ['REGISTERED/*', 'CANCELLED/='],
  ['VALIDATING/*', 'CANCELLED/='],
  ['ERROR/*', 'CANCELLED/='],
  ['APPROVED/*', 'CANCELLED/='],
];
/** Only there a third retry refuses. */
const linkedPartner = [['ERROR/*', 'REFUSED/=']] as const;
/** Goes on step by step, and for a day. */
const apiFlow = [
  ['REGISTERED/PENDING', 'REFUSED/REFUSED'],
  ['REGISTERED/*', 'EXPIRED/='],
  ['VALIDATING/*', 'EXPIRED/='],
] as const;

export const ends: readonly string[] = ['GENERATED', 'REFUSED', 'CANCELLED', 'EXPIRED'];

export interface State {
  readonly status: string;
  readonly validationStatus: string;
}

function matches(pattern: string, { status, validationStatus }: State, before: State): boolean {
  const [wanted, validation] = pattern.split('/');
  if (wanted !== status) return false;
  return (
    validation === '*' || validationStatus === (validation === '=' ? before.validationStatus : validation)
  );
}

/** Whether a request of the family may go from one state to the other in one step; staying is no step. */
export function mayGo(family: string, before: State, after: State): boolean {
  const own = family === 'TV' ? linkedPartner : family === 'API' ? apiFlow : [];
  return [...generally, ...own].some(
    ([from, to]) => matches(from, before, before) && matches(to, after, before),
  );
}

/** How a request of the family may begin. */
export function mayBegin(family: string, { status, validationStatus }: State): boolean {
  return (
    `${status}/${validationStatus}` === 'REGISTERED/PENDING' ||
    (family === 'TV' && `${status}/${validationStatus}` === 'ERROR/ERROR')
  );
}
