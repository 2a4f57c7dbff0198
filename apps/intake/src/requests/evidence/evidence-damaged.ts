/** `missing`: nothing of it is there. `damaged`: the stored bytes are not those that were sent. */
export type EvidenceFault = 'missing' | 'damaged';

/**
 * Error for evidence whose stored bytes are gone, or not those that were sent: only the sender can repair
 * that.
 */
export class EvidenceDamaged extends Error {
  readonly fault: EvidenceFault;

  constructor(evidenceId: string, reason: string, fault: EvidenceFault = 'damaged') {
    super(`evidence ${evidenceId}: ${reason}`);
    this.name = 'EvidenceDamaged';
    this.fault = fault;
  }
}
