import { parseArgs } from 'node:util';

/** Fault caused by the caller's input; it is shown without a stack trace. */
export class UsageError extends Error {}

/** Calls `parseArgs` and turns its errors into usage errors. */
export function readArguments<const T extends NonNullable<Parameters<typeof parseArgs>[0]>['options']>(
  args: readonly string[],
  options: T,
) {
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: false });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
