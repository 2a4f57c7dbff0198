/** `missing`: nothing of it is there. `damaged`: what is there is not what was sent. */
export type EvidenceFault = 'missing' | 'damaged';

/** What is kept of an evidence is not what was sent, or is gone: only the sender can mend that. */
export class EvidenceDamaged extends Error {
  readonly fault: EvidenceFault;

  constructor(evidenceId: string, reason: string, fault: EvidenceFault = 'damaged') {
    super(`evidence ${evidenceId}: ${reason}`);
    this.name = 'EvidenceDamaged';
    this.fault = fault;
  }
}
