/** Whether what a call of this tool acts on is the path of a file, whatever its characters. */
export function actsOnFile(toolId: string): boolean {
  return toolId === 'read' || toolId === 'write';
}
