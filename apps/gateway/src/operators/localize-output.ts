import type { Language } from '../context.ts';
import { type Localizable, localize } from '../http/localize.ts';

/** Members of a request or review that contain texts for people. */
interface Observed {
  readonly observation?: Localizable | null;
  readonly observations?: readonly Localizable[];
}

/** Renders the observations of a request or review, alone or in a page, in the operator's language. */
export function localizeOutput(output: unknown, language: Language): unknown {
  if (typeof output !== 'object' || output === null) return output;
  const { items, ...whole } = output as Observed & { readonly items?: unknown };
  const localized = localizeObserved(whole, language);
  if (!Array.isArray(items)) return items === undefined ? localized : { ...localized, items };
  return { ...localized, items: items.map((item: unknown) => localizeOutput(item, language)) };
}

function localizeObserved(whole: Observed, language: Language): object {
  const { observation, observations } = whole;
  return {
    ...whole,
    ...(observation ? { observation: localize(observation, language) } : {}),
    ...(Array.isArray(observations)
      ? { observations: observations.map((item) => localize(item, language)) }
      : {}),
  };
}
