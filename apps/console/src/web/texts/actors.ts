import { useLabelTexts } from './labels.ts';

/** Returns the display name of an actor in timelines and logs: `operator:<e-mail>`, `service:<name>`, `partner`. */
export function useActorNames(): (actor: string) => string {
  const getLabelText = useLabelTexts();
  return (actor) => getLabelText(actor.replace(/^(operator|service):/, ''));
}
