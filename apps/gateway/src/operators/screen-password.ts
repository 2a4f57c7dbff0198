import { createFieldText, createText } from '@rubrica/contracts/error-texts/create-text';
import type { PasswordScreen } from '@rubrica/password-screen/password-screen';
import { weaknessTexts } from '@rubrica/password-screen/weakness';
import { invalidField } from '@rubrica/process/errors';

interface NewPassword {
  /** Name of the operator or invitation; never a token. */
  readonly owner: string;
  /** Input field of the password. */
  readonly field: string;
  readonly password: string;
  /** E-mail of its owner, which must not be part of the password. */
  readonly email: string;
}

/**
 * Refuses a weak password.
 * @throws AppError FIELD_INVALID, RATE_LIMITED, SERVICE_UNAVAILABLE
 */
export async function assertStrong(
  { owner, field, password, email }: NewPassword,
  passwords: Pick<PasswordScreen, 'weaknessOf'>,
): Promise<void> {
  const ownData = email.split(/[@.]/).filter((word) => word.length > 3);
  const weakness = await passwords.weaknessOf(password, { owner, ownData });
  if (weakness === undefined) return;
  const fault = weakness === 'personal' ? createText('field.guessableYourData') : weaknessTexts[weakness];
  throw invalidField(field, createFieldText(field, fault));
}
