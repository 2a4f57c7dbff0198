import type { UseCase } from '../calls/handlers.ts';

export interface PlayedAdministrators {
  readonly standing: UseCase<'intake', 'administrators.standing'>;
  /** Who is no enabled administrator any more, or is one again. */
  set(operatorId: string, isEnabled: boolean): void;
  /** Whether one of them has made the other what he is, within seven days. */
  bind(isBound: boolean): void;
}

/** Intake's word on administrators, for tests of the services that ask for it. There are two, whoever they are. */
export function playAdministrators(): PlayedAdministrators {
  const disabled = new Set<string>();
  let areBound = false;
  return {
    standing: ({ operatorId, proposedBy }) => ({
      isAdministrator: !disabled.has(operatorId),
      isProposerAdministrator: proposedBy !== undefined && !disabled.has(proposedBy),
      areIndependent: operatorId !== proposedBy && !areBound,
      count: 2 - disabled.size,
      takeTwo: true,
    }),
    set: (operatorId, isEnabled) => void (isEnabled ? disabled.delete(operatorId) : disabled.add(operatorId)),
    bind(isBound) {
      areBound = isBound;
    },
  };
}
