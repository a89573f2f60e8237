const fileTools: readonly string[] = ['read', 'write', 'edit'];

/** Whether what a call of this tool acts on is the path of a file, whatever its characters. */
export function actsOnFile(toolId: string): boolean {
  return fileTools.includes(toolId);
}
