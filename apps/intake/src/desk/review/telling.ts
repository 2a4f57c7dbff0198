import type { ReviewSignals } from '../../requests/request/review-signals.ts';

type ChangeKind = Parameters<ReviewSignals['tell']>[0]['change'];

/** Wraps a use case so that a signal follows it. */
export function withReviewSignal<
  Input extends { readonly requestId: string },
  Rest extends unknown[],
  Output,
>(
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
