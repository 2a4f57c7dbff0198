import type {
  KeyType,
  OperatorRole,
  PasswordConfiguration,
  ReviewPolicy,
  Scope,
} from '../shared/enumerations.ts';
import { operatorRoles, reviewPolicies } from '../shared/enumerations.ts';
import type { Quota } from '../shared/quota.ts';

/** Changes an hour that stop a certificate, an operator or a partner and that one administrator makes alone. */
export const stopsPerHour = 5;
/** Changes an hour that end one session, token or key, or delay an erasure, and that one administrator makes alone. */
export const endsPerHour = 20;

/** For what takes rights away, or makes a rule stricter. */
export function oneIsEnough(): boolean {
  return false;
}

/** What of a partner's settings is a safeguard. */
interface PartnerSafeguards {
  readonly email: string;
  readonly passwordConfiguration: PasswordConfiguration;
  readonly reviewPolicy: ReviewPolicy;
  readonly legacyPkcs12: boolean;
  readonly keyType: KeyType;
  readonly scopes: readonly Scope[];
  readonly enabled: boolean;
  readonly clientSecretEnabled: boolean;
  /** The same object where it stays. */
  readonly logo?: unknown;
}

/**
 * Whether a change of a partner's settings loosens anything. Its e-mail address counts too: the notices that would tell
 * the partner of a misuse go there. So does its logo, by which applicants know whose page they see.
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

type PartnerDoors = Pick<PartnerSafeguards, 'scopes' | 'enabled' | 'clientSecretEnabled'> & {
  readonly quota: Quota;
};

/** Tells whether a partner can do less after the change: the opposite of `loosensPartner`. */
export function stopsPartner(before: PartnerDoors, after: PartnerDoors): boolean {
  return (
    (before.enabled && !after.enabled) ||
    (before.clientSecretEnabled && !after.clientSecretEnabled) ||
    before.scopes.some((scope) => !after.scopes.includes(scope)) ||
    lowersQuota(before.quota, after.quota)
  );
}

/** A package of other days may let nothing through today, so that any new one counts. */
function lowersQuota(before: Quota, after: Quota): boolean {
  return (Object.keys(after) as (keyof Quota)[]).some((type) => {
    const [was, is] = [before[type] ?? null, after[type] ?? null];
    if (is === null) return false;
    if (typeof is === 'number') return is < (typeof was === 'number' ? was : Number.POSITIVE_INFINITY);
    return JSON.stringify(is) !== JSON.stringify(was);
  });
}

/** What is in force already changes nothing. */
export function activatesTerms(before: { readonly active: boolean }): boolean {
  return !before.active;
}

/** Whether an operator may do more than before. */
export function raisesRole(
  before: { readonly role: OperatorRole },
  after: { readonly role: OperatorRole },
): boolean {
  return operatorRoles.indexOf(after.role) > operatorRoles.indexOf(before.role);
}
