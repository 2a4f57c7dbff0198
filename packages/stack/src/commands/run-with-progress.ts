import { parseCopies } from '../setup/services.ts';
import type { StackOptions, StackProgress } from '../stack/options.ts';
import { type Stack, startStack } from '../stack/start-stack.ts';
import { readArguments } from '../terminal/arguments.ts';
import { createProgress } from '../terminal/progress.ts';
import type { Output } from '../terminal/style.ts';

/** Starts the stack and shows each step while it happens. */
export async function startWithProgress(output: Output, options: StackOptions): Promise<Stack> {
  const progress = createProgress(output);
  const names = new Map<string, string>();
  const onProgress = ({ step, state, text }: StackProgress) => {
    if (state === 'begin') {
      names.set(step, text);
      progress.begin(text);
    } else if (state === 'detail') progress.detail(names.get(step) ?? step, text);
    else progress.done(text);
  };
  try {
    return await startStack({ crashpoints: false, ...options, onProgress });
  } finally {
    progress.close();
  }
}

export function stackArguments(args: readonly string[]): Pick<StackOptions, 'copies' | 'limits' | 'tls'> {
  const { values } = readArguments(args, {
    copies: { type: 'string' },
    limits: { type: 'boolean' },
    tls: { type: 'boolean' },
  });
  return {
    ...(values.copies === undefined ? {} : { copies: parseCopies(values.copies) }),
    limits: values.limits ?? false,
    tls: values.tls ?? false,
  };
}
