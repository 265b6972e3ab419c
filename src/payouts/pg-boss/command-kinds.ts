/** The commands that the book keeps, by the names of their methods. */
export const COMMAND_KINDS = ['hold', 'resume', 'cancel', 'settle', 'payAgain', 'restored'] as const;

/** A command, by the name of its method. */
export type CommandKind = (typeof COMMAND_KINDS)[number];
