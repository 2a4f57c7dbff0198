import type { ErrorDetail } from '@rubrica/contracts/shared/errors';
import { AppError } from '@rubrica/process/errors';

/**
 * Throws if there are faults.
 * @throws AppError with all faults, under the code and text of the first
 */
export function assertFaultless(faults: readonly ErrorDetail[]): void {
  const [first] = faults;
  if (first === undefined) return;
  throw new AppError({ code: first.code, text: first.text, details: faults });
}
