import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { Scope } from '@rubrica/contracts/shared/enumerations';
import { AppError } from '@rubrica/process/errors';
import type { PartnerCaller } from '../context.ts';

/**
 * Checks the scope of the caller's token.
 * @throws AppError FORBIDDEN
 */
export function assertScope({ scopes }: Pick<PartnerCaller, 'scopes'>, scope: Scope): void {
  if (scopes.includes(scope)) return;
  throw new AppError({
    code: 'FORBIDDEN',
    text: createText('access.scopeMissing', { scope }),
  });
}
