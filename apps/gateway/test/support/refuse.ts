import type { ErrorDetail } from '@rubrica/contracts/shared/errors';
import { AppError } from '@rubrica/process/errors';

/** What intake does with the faults that the gateway found. */
export function refuse(faults: readonly ErrorDetail[]): void {
  const [fault] = faults;
  if (fault)
    throw new AppError({ code: fault.code, text: fault.text, publicMessage: fault.message, details: faults });
}
