import type {
  KeyType,
  OperatorRole,
  PasswordConfiguration,
  ReviewPolicy,
  Scope,
} from '../shared/enumerations.ts';
import { operatorRoles, reviewPolicies } from '../shared/enumerations.ts';
import type { Quota } from '../shared/quota.ts';

/** Changes per hour that one administrator may make alone and that stop a certificate, an operator or a partner. */
export const stopsPerHour = 5;
/**
 * Changes per hour that one administrator may make alone and that end one session, token or key, or delay an erasure.
 */
export const endsPerHour = 20;

/** Rule for changes that remove rights or make a rule stricter: one administrator is enough. */
export function neverNeedsSecond(): boolean {
  return false;
}

/** Settings of a partner that are safeguards. */
interface PartnerSafeguards {
  readonly email: string;
  readonly passwordConfiguration: PasswordConfiguration;
  readonly reviewPolicy: ReviewPolicy;
  readonly legacyPkcs12: boolean;
  readonly keyType: KeyType;
  readonly scopes: readonly Scope[];
  readonly enabled: boolean;
  readonly clientSecretEnabled: boolean;
  /** Same object if unchanged. */
  readonly logo?: unknown;
}

/**
 * Tells whether a change of a partner's settings loosens a safeguard. The e-mail address counts too: notices that would
 * reveal a misuse to the partner go there. So does the logo, by which applicants recognise the page.
 */
export function loosensPartner(before: PartnerSafeguards, after: PartnerSafeguards): boolean {
  const strictness = ({ reviewPolicy }: PartnerSafeguards) => reviewPolicies.indexOf(reviewPolicy);
  return (
    strictness(after) < strictness(before) ||
    after.scopes.some((scope) => !before.scopes.includes(scope)) ||
    after.passwordConfiguration !== before.passwordConfiguration ||
    (after.legacyPkcs12 && !before.legacyPkcs12) ||
    (after.keyType === 'RSA-2048' && before.keyType !== 'RSA-2048') ||
    (after.enabled && !before.enabled) ||
    (after.clientSecretEnabled && !before.clientSecretEnabled) ||
    after.email !== before.email ||
    after.logo !== before.logo
  );
}

type PartnerAccess = Pick<PartnerSafeguards, 'scopes' | 'enabled' | 'clientSecretEnabled'> & {
  readonly quota: Quota;
};

/** Tells whether a partner can do less after the change: the opposite of `loosensPartner`. */
export function stopsPartner(before: PartnerAccess, after: PartnerAccess): boolean {
  return (
    (before.enabled && !after.enabled) ||
    (before.clientSecretEnabled && !after.clientSecretEnabled) ||
    before.scopes.some((scope) => !after.scopes.includes(scope)) ||
    lowersQuota(before.quota, after.quota)
  );
}

/**
 * Tells whether a quota becomes smaller. Every new package counts, because a package for other days may allow nothing
 * today.
 */
function lowersQuota(before: Quota, after: Quota): boolean {
  return (Object.keys(after) as (keyof Quota)[]).some((type) => {
    const [previous, next] = [before[type] ?? null, after[type] ?? null];
    if (next === null) return false;
    if (typeof next === 'number')
      return next < (typeof previous === 'number' ? previous : Number.POSITIVE_INFINITY);
    return JSON.stringify(next) !== JSON.stringify(previous);
  });
}

/** Tells whether terms become active. A version that is active already changes nothing. */
export function activatesTerms(before: { readonly active: boolean }): boolean {
  return !before.active;
}

/** Tells whether an operator may do more after the change. */
export function raisesRole(
  before: { readonly role: OperatorRole },
  after: { readonly role: OperatorRole },
): boolean {
  return operatorRoles.indexOf(after.role) > operatorRoles.indexOf(before.role);
}
