/// <summary>What another assembly needs. It has no tool.</summary>
public static class Helper
{
    public static string Words => "helped";
}
