import { useWordOf } from './labels.ts';

/** Returns the display name of an actor in timelines and logs: `operator:<e-mail>`, `service:<name>`, `partner`. */
export function useActorOf(): (actor: string) => string {
  const getLabelText = useWordOf();
  return (actor) => getLabelText(actor.replace(/^(operator|service):/, ''));
}
