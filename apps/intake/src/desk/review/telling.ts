import type { ReviewSignals } from '../../requests/request/review-signals.ts';

type ChangeKind = Parameters<ReviewSignals['tell']>[0]['change'];

/** The use case, and after it the word that the review has changed. */
export function telling<Input extends { readonly requestId: string }, Rest extends unknown[], Output>(
  { reviewSignals }: { readonly reviewSignals: ReviewSignals },
  change: ChangeKind,
  useCase: (input: Input, ...rest: Rest) => Output | Promise<Output>,
): (input: Input, ...rest: Rest) => Promise<Output> {
  return async (input, ...rest) => {
    const output = await useCase(input, ...rest);
    reviewSignals.tell({ requestId: input.requestId, change });
    return output;
  };
}
