; SPDX-License-Identifier: Apache-2.0
; Inno Setup 6.3 or newer: iscc packaging\windows\tenuto.iss, after packaging\pyinstaller\freeze.py,
; which writes the file that is included here: version and publisher.
; For one user, without administrator's rights. Not yet tried on Windows.

#include "..\..\build\generated\build.iss"

[Setup]
AppId={{6B0C3B0E-7D0B-4E5C-9C55-0A7A1D2F8E41}
AppName=Tenuto
AppVersion={#Version}
AppPublisher={#Publisher}
DefaultDirName={localappdata}\Programs\Tenuto
DefaultGroupName=Tenuto
DisableProgramGroupPage=yes
PrivilegesRequired=lowest
; The oldest that Qt runs on.
MinVersion=10.0.17763
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
LicenseFile=..\..\LICENSE
OutputDir=..\..\dist
OutputBaseFilename=tenuto-{#Version}-windows-x64
SetupIconFile=..\..\build\generated\tenuto.ico
UninstallDisplayIcon={app}\tenuto-gui.exe
Compression=lzma2
SolidCompression=yes
ChangesAssociations=yes
ChangesEnvironment=yes
WizardStyle=modern

[Tasks]
Name: desktopicon; Description: "{cm:CreateDesktopIcon}"; Flags: unchecked
Name: path; Description: "Add the tenuto command to the PATH"; Flags: unchecked

[InstallDelete]
; What an older version had and this one has not.
Type: filesandordirs; Name: "{app}\_internal"

[Files]
Source: "..\..\dist\tenuto\*"; DestDir: "{app}"; Flags: recursesubdirs ignoreversion

[Icons]
Name: "{autoprograms}\Tenuto"; Filename: "{app}\tenuto-gui.exe"; AppUserModelID: "Tenuto.Tenuto"
Name: "{autodesktop}\Tenuto"; Filename: "{app}\tenuto-gui.exe"; AppUserModelID: "Tenuto.Tenuto"; Tasks: desktopicon

[Registry]
; A program of ours for *.tenuto, offered beside others: nobody's choice is overwritten.
Root: HKCU; Subkey: "Software\Classes\Tenuto.Session.1"; ValueType: string; ValueData: "Exported agent session"; Flags: uninsdeletekey
Root: HKCU; Subkey: "Software\Classes\Tenuto.Session.1\DefaultIcon"; ValueType: string; ValueData: "{app}\_internal\session.ico"
Root: HKCU; Subkey: "Software\Classes\Tenuto.Session.1"; ValueType: string; ValueName: "AppUserModelID"; ValueData: "Tenuto.Tenuto"
Root: HKCU; Subkey: "Software\Classes\Tenuto.Session.1\shell\open\command"; ValueType: string; ValueData: """{app}\tenuto-gui.exe"" ""%1"""
Root: HKCU; Subkey: "Software\Classes\.tenuto\OpenWithProgids"; ValueType: string; ValueName: "Tenuto.Session.1"; ValueData: ""; Flags: uninsdeletevalue uninsdeletekeyifempty
; The command line, where it was asked for.
Root: HKCU; Subkey: "Environment"; ValueType: expandsz; ValueName: "Path"; ValueData: "{olddata};{app}"; Tasks: path; Check: IsNotOnPath

[Run]
Filename: "{app}\tenuto-gui.exe"; Description: "{cm:LaunchProgram,Tenuto}"; Flags: nowait postinstall skipifsilent

[Code]
function IsNotOnPath: Boolean;
var
  Path: String;
begin
  if not RegQueryStringValue(HKEY_CURRENT_USER, 'Environment', 'Path', Path) then
    Path := '';
  Result := Pos(';' + Uppercase(ExpandConstant('{app}')) + ';', ';' + Uppercase(Path) + ';') = 0;
end;

procedure CurUninstallStepChanged(Step: TUninstallStep);
var
  Path, Folder: String;
  Place: Integer;
begin
  if (Step <> usPostUninstall) or not RegQueryStringValue(HKEY_CURRENT_USER, 'Environment', 'Path', Path) then
    exit;
  Folder := ';' + ExpandConstant('{app}');
  Place := Pos(Uppercase(Folder) + ';', Uppercase(Path) + ';');
  if Place > 0 then
  begin
    Delete(Path, Place, Length(Folder));
    RegWriteExpandStringValue(HKEY_CURRENT_USER, 'Environment', 'Path', Path);
  end;
end;
