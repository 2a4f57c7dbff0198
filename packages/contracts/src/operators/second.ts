import type {
  KeyType,
  OperatorRole,
  PasswordConfiguration,
  ReviewPolicy,
  Scope,
} from '../shared/enumerations.ts';
import { operatorRoles, reviewPolicies } from '../shared/enumerations.ts';

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
