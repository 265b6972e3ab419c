/** A command, by the name of its method. */
export type CommandKind = 'hold' | 'resume' | 'cancel' | 'settle' | 'payAgain' | 'restored';

/** The commands that the book keeps. */
export const COMMAND_KINDS: readonly CommandKind[] = [
  'hold',
  'resume',
  'cancel',
  'settle',
  'payAgain',
  'restored',
];
