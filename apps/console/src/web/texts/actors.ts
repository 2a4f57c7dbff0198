import { useWordOf } from './labels.ts';

/** Who did something, as timelines and logs name it: `operator:<e-mail>`, `service:<name>`, `partner`. */
export function useActorOf(): (actor: string) => string {
  const wordOf = useWordOf();
  return (actor) => wordOf(actor.replace(/^(operator|service):/, ''));
}
