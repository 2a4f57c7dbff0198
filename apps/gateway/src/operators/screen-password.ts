import { createFieldText, createText } from '@rubrica/contracts/error-texts/create-text';
import type { PasswordScreen } from '@rubrica/password-screen/password-screen';
import { weaknessTexts } from '@rubrica/password-screen/weakness';
import { invalidField } from '@rubrica/process';

interface NewPassword {
  /** Names the operator or the invitation; never a token itself. */
  readonly owner: string;
  /** The input's field that it stands in. */
  readonly field: string;
  readonly password: string;
  /** Of its owner: nothing to make a password of. */
  readonly email: string;
}

/** @throws AppError FIELD_INVALID for a password that is soon guessed, RATE_LIMITED, SERVICE_UNAVAILABLE */
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
