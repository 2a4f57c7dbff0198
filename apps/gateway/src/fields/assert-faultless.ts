import type { ErrorDetail } from '@rubrica/contracts/shared/errors';
import { AppError } from '@rubrica/process';

/** @throws AppError with all faults, under the code and in the words of the first */
export function assertFaultless(faults: readonly ErrorDetail[]): void {
  const [first] = faults;
  if (first === undefined) return;
  throw new AppError({ code: first.code, text: first.text, details: faults });
}
