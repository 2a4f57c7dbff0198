import { holdNotice } from '@rubrica/contracts/operators/hold-notice';
import type { OperatorProcedure } from '@rubrica/contracts/operators/procedure';
import { type OperatorPath, operatorProcedures } from '@rubrica/contracts/operators/procedures';
import * as enumerations from '@rubrica/contracts/shared/enumerations';
import { z } from 'zod';

/** Input fields of each procedure, so that a list offers no filter that its procedure would refuse. */
export const inputFields = Object.fromEntries(
  Object.entries<OperatorProcedure>(operatorProcedures).map(([path, { input }]) => [path, listFields(input)]),
) as Readonly<Record<OperatorPath, readonly string[]>>;

function listFields(input: z.ZodType): readonly string[] {
  const { properties = {} } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  return Object.keys(properties);
}

export const certificateStatuses: readonly string[] = enumerations.certificateStatusSchema.options;
export const revocationReasons: readonly string[] = enumerations.revocationReasonSchema.options;
export const passwordConfigurations: readonly string[] = enumerations.passwordConfigurationSchema.options;
export const reviewPolicies: readonly string[] = enumerations.reviewPolicySchema.options;
export const keyTypes: readonly string[] = enumerations.keyTypeSchema.options;
export const scopes: readonly string[] = enumerations.scopeSchema.options;
export const auditServices: readonly string[] = enumerations.databaseServiceSchema.options;
export const holdWarning: { readonly es: string; readonly en: string } = holdNotice;
export const certificateTypes: readonly string[] = enumerations.certificateTypeSchema.options;
export const furtherEventTypes: readonly string[] = enumerations.furtherEventTypeSchema.options;
export const roles: readonly string[] = enumerations.operatorRoleSchema.options;
